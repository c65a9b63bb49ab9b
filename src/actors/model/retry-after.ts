/** How long the endpoint asked us to wait, in milliseconds. Undefined when it did not say, or said something senseless. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const precise = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (precise >= 0 && Number.isFinite(precise)) return Math.ceil(precise);
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) {
    // Digits without end are a number too, but no time: it would be journaled as nothing.
    const wait = Math.ceil(Number.parseFloat(text) * 1000);
    return Number.isFinite(wait) ? wait : undefined;
  }
  const date = Date.parse(text);
  if (Number.isNaN(date)) return undefined;
  // The endpoint's own clock where it tells it: ours may be off by more than the wait.
  const there = Date.parse(headers['date'] ?? '');
  return Math.max(0, date - (Number.isNaN(there) ? now : there));
}
