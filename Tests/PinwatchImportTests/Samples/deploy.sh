#!/bin/sh
# curl --pinnedpubkey 'sha256//OLD' https://old.example.com/
sudo /usr/bin/curl -fsS \
    --pinnedpubkey 'sha256//yh1VxfHihB9ClpoJZeq8HnJMHYx3K0vChiEZ2YfdGsI=;sha256//zLHjmhziH/4oRpQYPTXDwFzCvNzjZ1s1lq4RzUycONI=' \
    https://api.example.com/
