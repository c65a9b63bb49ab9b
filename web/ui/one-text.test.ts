import { NO_RESULT } from '../../src/core/look/result-state.ts';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { spentInReviewText } from '../../src/formats/review/cli/spending-text.ts';
import { doneText } from '../../src/cli/terminal/progress.ts';
import { showText } from '../../src/cli/terminal/show-text.ts';
import { describeLimit, limitText } from '../../src/core/model/limits.ts';
import { NO_USAGE } from '../../src/core/model/usage.ts';
import { DEFAULT_LIMITS } from '../../src/core/model/workflow.ts';
import type { RunView } from '../../src/protocol/run-view.ts';
import { BudgetBar, SpentCost } from '../run/totals/totals-strip.tsx';
import { Duration, Money, Worked } from './figures.tsx';

const VIEW: RunView = {
  kind: 'run',
  run: 'r1',
  parent: null,
  workflow: 'w',
  project: '/p',
  status: 'settled',
  outcome: 'ok',
  result: NO_RESULT,
  output: null,
  failure: null,
  input: {},
  data: {},
  state: 'stop',
  states: ['stop'],
  contexts: [],
  usage: NO_USAGE,
  costUsd: 0,
  limits: DEFAULT_LIMITS,
  errors: [],
  questions: [],
  startedAt: 0,
  updatedAt: 0,
  endedAt: 0,
  time: { workedMs: 0, waitedMs: 0, pausedMs: 0 },
  seq: 9,
  folder: null,
  children: [],
  driven: false,
};

const shown = (parts: Partial<RunView>): string => showText({ ...VIEW, ...parts }, (_style, text) => text);
const html = (markup: string): string => markup.replaceAll(/<[^>]*>/g, '').replaceAll('&lt;', '<');
const only = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? text;

test('[U2] the terminal, the page and the messages of limits print the same text for the same time', () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(100_000), fc.nat(1_000_000_000)), (ms) => {
      const time = { workedMs: ms, waitedMs: 0, pausedMs: 0 };
      const figures = { turns: 1, usage: NO_USAGE, costUsd: 0, knownCostUsd: 0, ms, workMs: ms };
      const reached = { kind: 'limit.reached', limit: 'durationMs', state: 's', used: ms, allowed: 1 } as const;
      const budget = { limit: 'durationMs', used: ms, allowed: 1 } as const;
      const progress = { id: 1, what: 'project', run: null, workspace: null, state: 'ended', ms } as const;
      const texts = [
        only(shown({ time }), /took (.*)/),
        only(spentInReviewText(figures), /, ([^,]*)$/),
        only(doneText(progress), / in (.*)$/),
        only(describeLimit(reached), /taken (.*) of/),
        limitText('durationMs', ms),
        html(renderToStaticMarkup(createElement(Duration, { ms }))),
        html(renderToStaticMarkup(createElement(Worked, { timeAt: () => time, until: 1 }))),
        html(renderToStaticMarkup(createElement(Worked, { timeAt: () => time, until: null }))),
        only(html(renderToStaticMarkup(createElement(BudgetBar, { budget }))), /time (.*) of/),
      ];
      expect([...new Set(texts)]).toEqual([texts[0]]);
    }),
  );
});

test('[U2] the terminal, the page and the messages of limits print the same text for the same cost', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100_000, noNaN: true }), fc.integer({ min: 0, max: 9 }), (one, shift) => {
      const usd = one / 10 ** shift;
      const usage = { ...NO_USAGE, calls: 1 };
      const figures = { turns: 1, usage, costUsd: usd, knownCostUsd: usd, ms: 1, workMs: 1 };
      const texts = [
        only(shown({ costUsd: usd }), /calls, (.*)/),
        only(spentInReviewText(figures), / tokens, (.*), 1 ms$/),
        only(describeLimit({ kind: 'limit.reached', limit: 'usd', state: 's', used: usd, allowed: 1 }), /cost (.*) of/),
        limitText('usd', usd),
        html(renderToStaticMarkup(createElement(Money, { usd }))),
        html(renderToStaticMarkup(createElement(SpentCost, { spent: figures }))),
        only(
          html(renderToStaticMarkup(createElement(BudgetBar, { budget: { limit: 'usd', used: usd, allowed: 1 } }))),
          /cost (.*) of/,
        ),
      ];
      expect([...new Set(texts)]).toEqual([texts[0]]);
    }),
  );
});
