import { join } from 'node:path';
import type { Hono } from 'hono';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { API } from '../../../src/server/http/api-table.ts';
import { OwnerDoor } from '../../../src/server/http/owner-door.ts';
import { createServerApp } from '../../../src/server/http/server-app.ts';
import { openApiDocument } from '../../../src/server/http/openapi.ts';
import { addGraphRoutes } from '../../../src/server/graph/graph-routes.ts';
import { addLiveRoutes } from '../../../src/server/live/live-routes.ts';
import { createOperations } from '../../../src/server/create-operations.ts';
import { KnownSecrets } from '../../../src/secrets/known-secrets.ts';
import { createMemoryJournal } from '../../../src/journal/memory/memory-journal.ts';

test('[U2] the document names every route that is mounted, and no other', () => {
  const secrets = new KnownSecrets();
  const operations = createOperations({
    store: { home: '/nowhere', journal: createMemoryJournal(), secrets },
    caller: { environment: {}, folder: '/', secrets },
    tell: () => undefined,
    version: '0.0.0',
    entry: '',
  });
  const app: Hono = createServerApp(operations, {
    door: new OwnerDoor({ token: 'x', port: 1 }),
    assets: '/nowhere',
    routes: [addLiveRoutes, addGraphRoutes],
  });
  const mounted = app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const listed = API.map(({ method, path }) => `${method} ${path}`);
  expect(listed.toSorted()).toEqual([...new Set(mounted)].toSorted());
  expect(new Set(listed).size).toBe(listed.length);
});

test('[U2] the document is whole: every reference leads somewhere, every operation has its own name', () => {
  const document = openApiDocument('1.2.3') as {
    readonly components: { readonly schemas: Readonly<Record<string, object>> };
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  };
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
  expect(references.length).toBeGreaterThan(15);
  expect(references.filter((name) => !Object.hasOwn(document.components.schemas, name))).toEqual([]);
  const others = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, name = '']) => name);
  expect(others.filter((name) => !/^#\/components\/(?:schemas|responses)\//.test(name))).toEqual([]);
  const names = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(names).toContain('getRunsRunRecords');
  expect(new Set(names).size).toBe(names.length);
  expect(document.paths['/api/runs/{run}/answer']?.['post']).toMatchObject({
    requestBody: {
      content: { 'application/json': { schema: { required: ['question', 'text'], additionalProperties: false } } },
    },
  });
  expect(document.paths['/api/runs/{run}/file']?.['get']).toMatchObject({
    parameters: [
      { name: 'run', in: 'path', required: true },
      { name: 'workspace', in: 'query', required: false },
      { name: 'path', in: 'query', required: true },
      { name: 'at', required: false },
      { name: 'tree', required: false },
      { name: 'download', required: false },
    ],
  });
});

test('[U2] the committed schemas/openapi.json is the same document (update with vitest -u)', async () => {
  const text = `${JSON.stringify(openApiDocument(manifest.version), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, '../../../schemas/openapi.json'));
});
