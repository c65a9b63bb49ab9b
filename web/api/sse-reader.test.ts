import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SseReader } from './hub.ts';

test('[U2] events come whole, however the pieces are cut', () => {
  const text = 'event: batch\ndata: {"a":1}\n\n: still here\n\nid: 4\ndata: one\ndata: two\n\nevent: x\ndata:\n\n';
  const whole = [
    { event: 'batch', data: '{"a":1}' },
    { event: 'message', data: 'one\ntwo' },
    { event: 'x', data: '' },
  ];
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), (sizes) => {
      const reader = new SseReader();
      let at = 0;
      const events = [...sizes, text.length].flatMap((size) => {
        const piece = text.slice(at, at + size);
        at += size;
        return reader.take(piece);
      });
      expect(events).toEqual(whole);
    }),
  );
});
