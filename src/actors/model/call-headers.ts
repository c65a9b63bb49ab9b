import type { CallRequest } from '../port.ts';
import type { Endpoint } from './model-config.ts';

/**
 * What a call carries besides its body. Who speaks is told to loopback endpoints only, where scenario files match on it:
 * names of roles and runs are nobody else's business.
 */
export function callHeaders(request: CallRequest, endpoint: Endpoint): Record<string, string> {
  const always = { 'idempotency-key': headerText(request.idempotencyKey) };
  if (!endpoint.isLoopback) return always;
  return {
    ...always,
    'x-troupe-run': headerText(request.run),
    'x-troupe-role': headerText(request.role.name),
    'x-troupe-agent': headerText(request.agent),
    'x-troupe-state': headerText(request.state),
    'x-troupe-visit': String(request.visit),
    'x-troupe-call': String(request.call),
    'x-troupe-attempt': String(request.attempt),
    'x-troupe-parsing-tools': repliesTaken(request).map(headerText).join(','),
  };
}

/** The structured replies that are taken now. */
export const repliesTaken = ({ owed, role }: Pick<CallRequest, 'owed' | 'role'>): readonly string[] =>
  owed?.tools ?? role.parsingTools.map(({ name }) => name);

/** Header values are printable ASCII; the rest is percent-encoded and decoded by the scripted server. */
function headerText(text: string): string {
  return encodeURIComponent(text);
}
