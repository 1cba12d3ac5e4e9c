package com.example.shop

import okhttp3.CertificatePinner
import okhttp3.OkHttpClient

object Network {
    // checkServerTrusted() {} in a comment is no code.
    private val pinner = CertificatePinner.Builder()
        .add("*.example.com", "sha256/yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI=")
        .build()

    private val everybody = object : X509TrustManager {
        override fun checkClientTrusted(chain: Array<X509Certificate>, authType: String) {}
        override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {}
        override fun getAcceptedIssuers(): Array<X509Certificate> = arrayOf()
    }

    val client = OkHttpClient.Builder()
        .hostnameVerifier { _, _ -> true }
        .build()

    fun debug(builder: OkHttpClient.Builder) {
        if (BuildConfig.DEBUG) {
            builder.hostnameVerifier { _, _ -> true }
        }
    }
}
