import { expect, test } from 'vitest';
import { defineWorkflow } from '../../../formats/native/define-workflow.ts';
import { drawScene, PLAIN } from '../../../server/graph/draw-scene.ts';
import { svg } from './svg.ts';

const HOSTILE = '<script>alert("x")</script>&\u001B[31m\u202E';

const workflow = defineWorkflow({
  name: HOSTILE,
  start: HOSTILE,
  agents: { coder: {} },
  states: {
    [HOSTILE]: {
      work: { kind: 'turn', agent: 'coder', input: "'x'" },
      transitions: [{ target: 'stop', when: 'common_data.text === \'</text><image href="http://x"/>\'' }],
      on: { failed: ['lost'] },
    },
    stop: { kind: 'end' },
    lost: { kind: 'end', outcome: 'failed' },
  },
});

test('[U1] a picture shows every state and condition, and nothing in a name is markup', async () => {
  const scene = { run: null, workflow, drawing: { workflow, units: {} }, library: {}, story: null, prefix: '' };
  const text = svg(await drawScene(scene, PLAIN), workflow.name);
  expect([...text.matchAll(/<(?!\/)([a-z]+)/g)].map(([, tag]) => tag)).not.toContain('script');
  expect(text).not.toMatch(/<image|<script|[\p{Cf}]|&(?!amp;|lt;|gt;|quot;|#39;)/u);
  expect(text).not.toContain('\u001B');
  expect(text).toContain('&lt;script&gt;');
  expect(text.match(/<rect class="box/g)).toHaveLength(3);
  expect(text.match(/<path class="edge/g)).toHaveLength(3);
  expect(text).toContain('class="box bad"');
  for (const tag of ['svg', 'g', 'text', 'tspan', 'title']) {
    expect(text.split(`<${tag}`).length - 1).toBeGreaterThanOrEqual(text.split(`</${tag}>`).length - 1);
  }
});
