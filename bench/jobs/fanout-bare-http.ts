import { report, settings } from '../harness/report.ts';
import { IMPLEMENTERS, REVIEWERS } from '../workload.ts';
import { reportFanout } from './fanout-measure.ts';

/** The fan-out by hand over HTTP: `fetch`, the text of the stream put together, nothing else. */
const { runs, port } = settings() as { runs: number; port: number };

async function speak(who: string): Promise<string> {
  const ask = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: `You are ${who}.` }] }),
    });
  // Once more where the server had closed the idle connection that it took.
  const response = await ask().catch(ask);
  let text = '';
  for (const line of (await response.text()).split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const event = JSON.parse(line.slice(6)) as { choices: readonly { delta: { content?: string } }[] };
    text += event.choices[0]?.delta.content ?? '';
  }
  return text;
}

async function one(): Promise<void> {
  const implementations = await Promise.all(IMPLEMENTERS.map(speak));
  const reviews = await Promise.all(REVIEWERS.map(speak));
  if ([...implementations, ...reviews].includes('')) throw new Error('An answer is empty.');
}

report({ ...(await reportFanout(runs, one)) });
