"""Files dropped on a page, and what is in them."""

PLIST = "<plist>NSPinnedDomains</plist>"
OKHTTP = 'CertificatePinner.Builder().add("pay.example.com", "sha256/…")'
DROP = """([path, files]) => {
    const data = new DataTransfer();
    for (const [name, words] of files) data.items.add(new File([Array.isArray(words) ? new Uint8Array(words) : words], name));
    const at = document.querySelector(path);
    for (const kind of ['dragenter', 'dragover', 'drop']) at.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def drop(page, *files, at="body"):
    page.evaluate(DROP, [at, files])
