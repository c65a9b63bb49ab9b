import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/model/json.ts';
import { JsonRpcPeer, type PeerListener } from './json-rpc-peer.ts';

function peerWith(change: Partial<PeerListener> = {}) {
  const sent: JsonObject[] = [];
  const peer = new JsonRpcPeer({
    send: (message) => sent.push(message),
    onNotification: () => undefined,
    onRequest: () => null,
    ...change,
  });
  return { peer, sent };
}

test('a request gets its own answer, in whatever order the answers come', async () => {
  const { peer, sent } = peerWith();
  const [first, second] = [peer.request('a', {}), peer.request('b', { x: 1 })];
  expect(sent).toEqual([
    { jsonrpc: '2.0', id: 0, method: 'a', params: {} },
    { jsonrpc: '2.0', id: 1, method: 'b', params: { x: 1 } },
  ]);
  peer.hear({ jsonrpc: '2.0', id: 1, result: { y: 2 } });
  peer.hear({ jsonrpc: '2.0', id: 0, error: { code: -32_002, message: 'No.', data: 'why' } });
  expect(await second).toEqual({ kind: 'result', result: { y: 2 } });
  expect(await first).toEqual({ kind: 'refused', error: { code: -32_002, message: 'No.', data: 'why' } });
});

test('an answer of nothing is an answer; an error of any shape is a refusal', async () => {
  const { peer } = peerWith();
  const [first, second] = [peer.request('a', {}), peer.request('b', {})];
  peer.hear({ jsonrpc: '2.0', id: 0, result: null });
  peer.hear({ jsonrpc: '2.0', id: 1, error: 'broken' });
  expect(await first).toEqual({ kind: 'result', result: {} });
  expect(await second).toEqual({ kind: 'refused', error: { code: -32_603, message: '', data: null } });
});

test('an answer to nothing is passed over, what is none of the protocol is not', () => {
  const { peer } = peerWith();
  expect(peer.hear({ jsonrpc: '2.0', id: 9, result: {} })).toBe(true);
  expect(peer.hear({ jsonrpc: '2.0', method: 'x' })).toBe(true);
  expect(peer.hear({ jsonrpc: '2.0' })).toBe(false);
  expect(peer.hear({ id: 0, result: {} })).toBe(false);
});

test('a request is answered, and refused if it is unknown or its handler fails', async () => {
  const { peer, sent } = peerWith({
    onRequest: (method) => {
      if (method === 'known') return Promise.resolve({ ok: true });
      return method === 'broken' ? Promise.reject(new Error('Secret words.')) : null;
    },
  });
  peer.hear({ jsonrpc: '2.0', id: 'q', method: 'known' });
  peer.hear({ jsonrpc: '2.0', id: 'r', method: 'broken' });
  peer.hear({ jsonrpc: '2.0', id: 's', method: 'fs/read_text_file' });
  await expect.poll(() => sent.length).toBe(3);
  expect(sent).toContainEqual({ jsonrpc: '2.0', id: 'q', result: { ok: true } });
  expect(sent).toContainEqual(expect.objectContaining({ id: 'r', error: expect.objectContaining({ code: -32_603 }) }));
  expect(sent).toContainEqual(expect.objectContaining({ id: 's', error: expect.objectContaining({ code: -32_601 }) }));
  expect(JSON.stringify(sent)).not.toContain('Secret');
});

test('closing ends every wait, and nothing more is sent', async () => {
  const { peer, sent } = peerWith();
  const pending = peer.request('a', {});
  peer.close();
  expect(await pending).toEqual({ kind: 'closed' });
  expect(await peer.request('b', {})).toEqual({ kind: 'closed' });
  peer.notify('c', {});
  expect(sent).toHaveLength(1);
});
