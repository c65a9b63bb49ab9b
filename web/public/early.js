// Asks for what the page of a run needs first, while the page itself is still being loaded: see web/api/early.ts.
(() => {
  // From the browser's own store the page may have come first: then it asks by itself.
  if (globalThis.troupeEarly !== undefined) return;
  const run = /^\/runs\/([^/]+)$/.exec(location.pathname)?.[1];
  if (run === undefined) return;
  const token = /#t=([\w-]+)/.exec(location.hash)?.[1];
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const parts = ['/records?after=0&limit=10000', '/tree', '/graph'];
  const asked = parts.map((part) => `/api/runs/${run}${part}`);
  globalThis.troupeEarly = new Map(asked.map((url) => [url, fetch(url, { headers, credentials: 'same-origin' })]));
  for (const answer of globalThis.troupeEarly.values()) answer.catch(() => undefined);
})();
