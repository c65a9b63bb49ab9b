import { expect, test } from 'vitest';
import { ASK_THEN_WORK, scriptedProject } from '../../cli/projects.ts';
import { path } from './served.ts';
import { newToken, serveTeam } from './team.ts';

test('[U8] who acted is the name of the token, for every act, and nothing that a client says of itself', async () => {
  const sandbox = scriptedProject({ '.troupe/workflows/asking.ts': ASK_THEN_WORK });
  await sandbox.troupe(['trust', '--yes']);
  const served = await serveTeam(sandbox);
  const [olga, anna] = [await newToken(sandbox, 'olga', 'operator'), await newToken(sandbox, 'anna', 'admin')];
  const lying = await served.post(olga, '/api/runs', { workflow: 'asking', by: 'root' });
  expect([lying.status, lying.body.error?.code]).toEqual([400, 'REQUEST_INVALID']);
  const started = await served.post(olga, '/api/runs', { workflow: 'asking' }, { 'x-forwarded-user': 'root' });
  expect(started.body.error).toBeUndefined();
  const run = String(started.body['run']);
  await sandbox.troupe(['watch', run]);
  const { items } = (await served.get(olga, path(run, '/questions'))).body as unknown as { items: { name: string }[] };
  const answer = { question: items[0]?.name, text: 'blue' };
  expect((await served.post(olga, path(run, '/answer'), answer)).status).toBe(200);
  await sandbox.troupe(['watch', run]);
  const forked = await served.post(olga, path(run, '/fork'), { at: 'start' });
  const fork = String(forked.body['run']);
  expect((await served.post(olga, path(fork, '/cancel'))).status).toBe(200);
  await sandbox.troupe(['watch', fork]);
  expect((await served.post(anna, path(fork, '/archive'))).status).toBe(200);
  const pages = await Promise.all([run, fork].map((one) => served.get(anna, path(one, '/records'))));
  const facts = pages.flatMap(({ body }) => (body as unknown as { records: { record: { fact: Acted } }[] }).records);
  const acted = facts.flatMap(
    ({
      record: {
        fact: { kind, by, terms },
      },
    }) => {
      const who = by ?? terms?.delivery?.by;
      return who === undefined ? [] : [`${kind} by ${who}`];
    },
  );
  expect(acted).toEqual(
    expect.arrayContaining([
      'run.started by olga',
      'question.answered by olga',
      'run.resumed by olga',
      'run.forked by olga',
      'run.cancelled by olga',
      'run.archived by anna',
    ]),
  );
  expect(acted.filter((line) => !/ by (?:olga|anna)$/.test(line))).toEqual([]);
});

interface Acted {
  readonly kind: string;
  readonly by?: string;
  readonly terms?: { readonly delivery?: { readonly by: string } };
}

test('[U8] an operator lets no run go on past its limit: that raises a budget', async () => {
  const sandbox = scriptedProject();
  const served = await serveTeam(sandbox);
  const [olga, anna] = [await newToken(sandbox, 'olga', 'operator'), await newToken(sandbox, 'anna', 'admin')];
  const limited = await sandbox.troupe(['run', 'two_steps', '--input', 'task=x', '--max-tokens', '1', '--json']);
  const run = (JSON.parse(limited.stdout.split('\n')[0] ?? '{}') as { readonly run: string }).run;
  const { items } = (await served.get(olga, path(run, '/questions'))).body as unknown as {
    items: { name: string; kind: string }[];
  };
  expect(items[0]?.kind).toBe('limit');
  const answer = { question: items[0]?.name, text: 'continue' };
  const refused = await served.post(olga, path(run, '/answer'), answer);
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'ROLE_NEEDED']);
  const raised = await served.post(olga, path(run, '/resume'), { limits: { tokens: 1_000_000 } });
  expect([raised.status, raised.body.error?.code]).toEqual([403, 'ROLE_NEEDED']);
  expect((await served.post(anna, path(run, '/answer'), answer)).status).toBe(200);
});
