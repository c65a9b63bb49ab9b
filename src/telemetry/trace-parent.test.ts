import { expect, test } from 'vitest';
import { parseTraceParent, traceParentText } from './telemetry-settings.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('[U9] a parent is read as the W3C has it', () => {
  expect(parseTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
  expect(parseTraceParent(` 00-${TRACE}-${SPAN}-02 `)).toMatchObject({ isSampled: false });
  expect(parseTraceParent(`cc-${TRACE}-${SPAN}-01-what-the-future-will-be`)).toMatchObject({ traceId: TRACE });
  const parent = { traceId: TRACE, spanId: SPAN, isSampled: false };
  expect(parseTraceParent(traceParentText(parent))).toEqual(parent);
});

test.each([
  undefined,
  '',
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `cc-${TRACE}-${SPAN}-01.more`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}`,
])('[U9] %s is no parent', (text) => {
  expect(parseTraceParent(text)).toBeNull();
});
