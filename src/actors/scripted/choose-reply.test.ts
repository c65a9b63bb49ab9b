import { describe, expect, test } from 'vitest';
import type { SeenMessage } from '../../core/look/view.ts';
import { createChooser } from './choose-reply.ts';
import { parseScenario } from './scenario.ts';
import type { ScriptedOutcome } from './rule.ts';
import type { ScriptedRequest } from './scripted-request.ts';

const base: ScriptedRequest = {
  model: 'm',
  role: 'coder',
  agent: 'ada',
  state: 'coding',
  visit: 1,
  call: 1,
  attempt: 1,
  messages: [{ role: 'user', content: 'Write it.' }],
  tools: [],
  parsingTools: [],
  size: 9,
  key: 'k',
};

function chooser(rules: unknown): (change?: Partial<ScriptedRequest>) => ScriptedOutcome {
  const result = parseScenario(rules);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.problems));
  const choose = createChooser(result.scenario);
  return (change) => choose({ ...base, ...change });
}

const text = (outcome: ScriptedOutcome): string => (outcome.kind === 'answer' ? outcome.text : outcome.fault.kind);

describe('[U4] which rule answers', () => {
  test('[U4] the first that fits, and what a client did not tell fits nothing', () => {
    const choose = chooser([
      { when: { role: 'reviewer' }, reply: 'R' },
      { when: { role: ['coder', 'tester'], visit: 2 }, reply: 'C2' },
      { when: { agent: 'ada', state: 'coding', model: 'm' }, reply: 'A' },
    ]);
    expect(text(choose())).toBe('A');
    expect(text(choose({ visit: 2 }))).toBe('C2');
    expect(text(choose({ role: 'reviewer' }))).toBe('R');
    const { agent: _, ...anonymous } = base;
    expect(text(createChooserFor(anonymous, [{ when: { agent: 'ada' }, reply: 'A' }]))).toBe('Done: Write it.');
  });

  test('[U4] contains looks at the newest message, as text or as a pattern', () => {
    const choose = chooser([
      { when: { contains: '/^write\\b/i' }, reply: 'pattern' },
      { when: { contains: 'a.b' }, reply: 'text' },
    ]);
    expect(text(choose())).toBe('pattern');
    expect(text(choose({ messages: [user('x a.b')] }))).toBe('text');
    expect(text(choose({ messages: [user('x a-b')] }))).toBe('Done: x a-b');
    expect(text(choose({ messages: [user('Write it.'), assistantCalling(1), result(1)] }))).toBe('Done.');
  });

  test('[U4] a rule that is used up leaves the request to the next one', () => {
    const choose = chooser([{ reply: 'first', times: 2 }, { reply: 'then' }]);
    expect([choose(), choose(), choose()].map(text)).toEqual(['first', 'first', 'then']);
  });

  test('[U4] steps follow the rounds of tool results, parallel results being one round', () => {
    const choose = chooser([{ when: { contains: 'Write' }, steps: ['zero', 'one', 'two'] }, { reply: 'over' }]);
    const messages = [user('Write it.'), assistantCalling(2), result(1), result(2)];
    expect(text(choose())).toBe('zero');
    expect(text(choose({ messages }))).toBe('one');
    expect(text(choose({ messages: [...messages, assistantCalling(1), result(1)] }))).toBe('two');
    const spent = [...messages, assistantCalling(1), result(1), assistantCalling(1), result(1)];
    expect(text(choose({ messages: spent }))).toBe('over');
  });

  test('[U4] call is counted from the conversation where the client does not tell it', () => {
    const { call: _, ...untold } = base;
    const rules = [{ when: { call: 2 }, reply: 'second' }];
    const messages = [user('Write it.'), assistantCalling(1), result(1)];
    expect(text(createChooserFor({ ...untold, messages }, rules))).toBe('second');
    expect(text(createChooserFor(untold, rules))).toBe('Done: Write it.');
  });
});

describe('[L3] faults that pass', () => {
  const flaky: unknown = JSON.parse(
    '[{"reply": {"status": 500, "times": 2, "then": {"overloaded": true, "times": 1, "then": "Fine."}}}]',
  );

  test('[L3] tries are those the engine counts', () => {
    const choose = chooser(flaky);
    const kinds = [1, 2, 3, 4].map((attempt) => text(choose({ attempt })));
    expect(kinds).toEqual(['status', 'status', 'overloaded', 'Fine.']);
    expect(text(choose({ attempt: 1 }))).toBe('status');
  });

  test('[L3] or, for a client that does not tell, requests with the same key', () => {
    const { attempt: _, ...untold } = base;
    const result = parseScenario(flaky);
    if (result.kind === 'refused') throw new Error('refused');
    const choose = createChooser(result.scenario);
    expect([1, 2, 3, 4].map(() => text(choose(untold)))).toEqual(['status', 'status', 'overloaded', 'Fine.']);
    expect(text(choose({ ...untold, key: 'other' }))).toBe('status');
  });

  test('[SM7] bad arguments go on until they were sent back often enough', () => {
    const choose = chooser(JSON.parse('[{"reply": {"bad_arguments": "schema", "times": 1, "then": "Good."}}]'));
    expect(choose({ parsingTools: ['review'] })).toMatchObject({
      calls: [{ name: 'review', arguments: { not_in_the_schema: true } }],
    });
    expect(text(choose({ messages: [user('Go.'), assistantCalling(1), result(1)] }))).toBe('Good.');
  });
});

describe('[U4] a script inside the prompt', () => {
  const scripted = (script: string) => user(`Do it.\n\`\`\`troupe-script\n${script}\n\`\`\`\nThanks.`);

  test('[U4] goes before every rule, step by step, and then is spent', () => {
    const choose = chooser([{ reply: 'rule' }]);
    const start = scripted('[{ "tools": [{ "name": "list" }] }, "Listed: ${last}"]');
    const after = [start, assistantCalling(1), result(1)];
    expect(choose({ messages: [start] })).toMatchObject({ calls: [{ name: 'list', arguments: {} }] });
    expect(text(choose({ messages: after }))).toBe('Listed: result 1');
    expect(text(choose({ messages: [...after, assistantCalling(1), result(1)] }))).toBe('rule');
    expect(text(choose({ messages: [...after, user('Next.')] }))).toBe('rule');
  });

  test('[L3] that cannot be read is refused as a bad request, not passed over', () => {
    const choose = chooser([{ reply: 'rule' }]);
    for (const script of ['not json', '[{"sey": 1}]', '[]']) {
      const outcome = choose({ messages: [scripted(script)] });
      expect(outcome).toMatchObject({ kind: 'fault', fault: { status: 400 } });
      expect(JSON.stringify(outcome)).toContain('troupe-script');
    }
  });
});

describe('[L9] the same request gets the same answer', () => {
  test('[L9] ids come from the key, and calls of one answer differ', () => {
    const choose = chooser([{ reply: { tools: [{ name: 'a' }, { name: 'b' }] } }]);
    const ids = (key: string) => {
      const outcome = choose({ key });
      return outcome.kind === 'answer' ? outcome.calls.map((call) => call.id) : [];
    };
    expect(ids('k1')).toEqual(ids('k1'));
    expect(new Set([...ids('k1'), ...ids('k2')]).size).toBe(4);
    expect(ids('k1').every((id) => /^[\w-]{1,40}$/.test(id))).toBe(true);
  });

  test('[L9] tokens are counted from characters unless the script says', () => {
    const choose = chooser([{ reply: { say: '12345678' } }]);
    expect(choose()).toMatchObject({ usage: { input: 3, output: 2, cacheRead: 0 } });
  });
});

test('[U4] templates are filled in words and in arguments; code that only looks like one is left alone', () => {
  const say = 'Visit ${visit} of ${state} by ${agent}: ${last} ${name}';
  const choose = chooser([{ reply: { say, tools: [{ name: 'w', arguments: { text: ['${role}', 7] } }] } }]);
  expect(choose()).toMatchObject({
    text: 'Visit 1 of coding by ada: Write it. ${name}',
    calls: [{ arguments: { text: ['coder', 7] } }],
  });
});

function createChooserFor(request: ScriptedRequest, rules: unknown): ScriptedOutcome {
  const result = parseScenario(rules);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.problems));
  return createChooser(result.scenario)(request);
}

function user(content: string): SeenMessage {
  return { role: 'user', content };
}

function assistantCalling(count: number): SeenMessage {
  const toolCalls = Array.from({ length: count }, (_, index) => ({ id: `c${index + 1}`, name: 'list', arguments: {} }));
  return { role: 'assistant', content: '', toolCalls };
}

function result(number: number): SeenMessage {
  return { role: 'tool', content: `result ${number}`, toolCallId: `c${number}` };
}
