package com.example.shop

import okhttp3.CertificatePinner
import okhttp3.OkHttpClient

/* HostnameVerifier { _, _ -> true } would accept every name. */
object Network {
    private val pinner = CertificatePinner.Builder()
        .add(
            "api.example.com",
            "sha256/yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI=",
            "sha256/zLHjmhziH/4oRpQYPTXDwFzCvNzjZ1s1lq4RzUycONI=",
        )
        .build()

    val client = OkHttpClient.Builder().certificatePinner(pinner).build()
}
