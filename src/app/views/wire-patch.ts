/** Bytes that are no text go as such. */
export function wirePatch(patch: Buffer): { readonly patch: string } | { readonly patchBase64: string } {
  const text = patch.toString('utf8');
  return Buffer.from(text, 'utf8').equals(patch) ? { patch: text } : { patchBase64: patch.toString('base64') };
}
