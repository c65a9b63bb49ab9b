import { expect, test } from 'vitest';
import { ReplyDraft } from './reply-draft.ts';

function malformedOf(...calls: readonly (readonly [id: string, text: string])[]): Readonly<Record<string, string>> {
  const draft = new ReplyDraft(() => undefined);
  for (const [id, text] of calls) draft.call({ id, name: 'list', text });
  return draft.malformed;
}

test.each(['__proto__', 'constructor', 'c1'])(
  '[L3] arguments that are no object are reported under the id %s that the model chose',
  (id) => {
    const malformed = malformedOf([id, '"not an object"']);
    expect(Object.entries(malformed)).toEqual([[id, 'The arguments must be a JSON object.']]);
  },
);

test('[L3] a call whose id is the name of a method is not malformed by that', () => {
  const malformed = malformedOf(['toString', '{}'], ['c2', 'not JSON']);
  expect(malformed['toString']).toBeUndefined();
  expect(malformed['c2']).toContain('not JSON');
});
