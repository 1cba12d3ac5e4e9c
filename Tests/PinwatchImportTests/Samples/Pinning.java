package com.example.shop;

import okhttp3.CertificatePinner;

final class Pinning {
    static final String HOST = "api.example.com";
    static final String[] PINS = {
        "sha256/yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI=",
    };

    /* Globs such as /* stand in comments here. */
    static CertificatePinner pinner(String tenant) {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        builder.add(HOST, "sha256/yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI=",
            "sha256/zLHjmhziH/4oRpQYPTXDwFzCvNzjZ1s1lq4RzUycONI=");
        builder.add(tenant + ".example.com", "sha256/yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI=");
        return builder.build();
    }
}
