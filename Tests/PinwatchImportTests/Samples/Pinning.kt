package com.example.shop

import okhttp3.CertificatePinner
import okhttp3.OkHttpClient

private const val BACKUP = "sha256/zLHjmhziH/4oRpQYPTXDwFzCvNzjZ1s1lq4RzUycONI="

/* Pins of the shop. /* The old one is in the history. */ .add("old.example.com", "sha256/OLD") */
fun client(base: OkHttpClient, log: MutableList<String>): OkHttpClient {
    log.add("pinning")
    val pinner = CertificatePinner.Builder()
        .add("api.example.com", "sha256/yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI=", BACKUP)
        // one more label
        .add("*.cdn.example.com", *arrayOf("sha256/" + "yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI=", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="))
        .build()
    return base.newBuilder().certificatePinner(pinner).build()
}
