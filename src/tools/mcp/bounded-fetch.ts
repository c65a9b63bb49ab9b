/**
 * A `fetch` that reads no more than this of an answer, and follows no redirect: the headers that go with a request may hold
 * a key, and only the address in the configuration gets it.
 */
export function boundedFetch(
  maxBytes: number,
  onTooMuch: () => void,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    if (response.body === null) return response;
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= maxBytes) return controller.enqueue(chunk);
        onTooMuch();
        controller.terminate();
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
}
