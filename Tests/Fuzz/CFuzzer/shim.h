#pragma once

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own loop: it reads its options from the words, and gives each input to the callback. */
int LLVMFuzzerRunDriver(int *count, char ***words, int (*target)(const uint8_t *bytes, size_t length));
