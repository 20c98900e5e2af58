/** Saves what an address of a blob holds. */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Saves a text as a file. */
export function saveText(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  saveAddress(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
