import { expect, test } from 'vitest';
import type { z } from 'zod';
import { API } from '../../../src/server/http/api-table.ts';
import type { RouteSpec } from '../../../src/server/http/route-spec.ts';
import { gitProject, writingRun } from '../../cli/file-projects.ts';
import { reviewProject, runReview } from '../../cli/review-project.ts';
import { pageHere, type PageHere } from './page-here.ts';

/** Unknown fields are left out by a schema: what is whole again afterwards had none. */
function expectFits(schema: z.ZodType, answer: unknown, path: string): void {
  const read = schema.safeParse(answer);
  expect([path, read.error?.issues ?? []]).toEqual([path, []]);
  expect([path, read.data]).toEqual([path, answer]);
}

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/api/search': ['?text=made'],
  '/api/runs/{run}/requests': ['', '?call=1'],
  '/api/runs/{run}/artifacts': ['', '?why=1'],
  '/api/runs/{run}/changes': ['', '?stat=1', '?against=trunk'],
};

const ROUTES = API.filter(({ method, answer }) => method === 'get' && 'schema' in answer);

/** Those of the routes that had something to say. */
async function checkRoutes(
  page: PageHere,
  filled: Readonly<Record<string, string>>,
  routes: readonly RouteSpec[],
): Promise<ReadonlySet<RouteSpec>> {
  const checked = new Set<RouteSpec>();
  for (const route of routes) {
    if (!('schema' in route.answer)) continue;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filled[name] ?? ''));
    for (const query of QUERIES[route.path] ?? ['']) {
      const answer = await page.get(path + query);
      const body = (await answer.json()) as { readonly error?: { readonly code: string } };
      if (body.error?.code === 'REVIEW_NONE') continue;
      expect([path + query, answer.status, body.error]).toEqual([path + query, 200, undefined]);
      expectFits(route.answer.schema, body, path + query);
      checked.add(route);
    }
  }
  return checked;
}

test('[R2] what every route answers fits its schema, without a field more', { timeout: 60_000 }, async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await pageHere(sandbox);
  const seen = await checkRoutes(page, { run, seq: '1', name: 'two_steps' }, ROUTES);
  const rest = ROUTES.filter((route) => !seen.has(route));
  const review = reviewProject();
  const reviewed = await runReview(review);
  const more = await checkRoutes(await pageHere(review), { run: reviewed.run }, rest);
  expect(rest.filter((route) => !more.has(route)).map(({ path }) => path)).toEqual([]);
  const source = { text: 'workflow_name: x\nstates: []\n' };
  const checked = API.find(({ path }) => path === '/api/check');
  if (checked === undefined || !('schema' in checked.answer)) throw new Error('There is no such route.');
  expectFits(checked.answer.schema, await (await page.post('/api/check', source)).json(), '/api/check');
});
