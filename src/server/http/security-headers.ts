import type { MiddlewareHandler } from 'hono';

/**
 * Nothing from outside, no frames, no plugins. Styles may stand in the page: highlighted code carries its colours in `style`
 * attributes, and the diff view brings its sheet into a shadow root. They can load nothing, since nothing else is allowed.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** For content that agents made: shown, never run. */
export const CONTENT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=()',
};

/** On every answer, also on those that refuse. */
export function securityHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', PAGE_POLICY);
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  };
}
