// `npm run web:dev`: the page as it is edited, on the real server's API. Its runs are played in memory and can be steered; with
// TROUPE_API=http://127.0.0.1:PORT/#t=TOKEN the page looks at a real `troupe serve` instead.
import type { IncomingMessage } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createServer, type Plugin, type ProxyOptions } from 'vite';
import { addGraphRoutes } from '../../src/server/graph/graph-routes.ts';
import { OwnerDoor } from '../../src/server/http/owner-door.ts';
import { createServerApp } from '../../src/server/http/server-app.ts';
import { addLiveRoutes } from '../../src/server/live/live-routes.ts';
import { createMockOperations } from './mock-operations.ts';

const PORT = 5199;
const TOKEN = 'development-only-token';
const real = process.env['TROUPE_API'];

const server = await createServer({
  configFile: new URL('../vite.config.ts', import.meta.url).pathname,
  configLoader: 'native',
  plugins: real === undefined ? [mockApi()] : [],
  server: {
    host: '127.0.0.1',
    port: PORT,
    strictPort: true,
    ...(real === undefined ? {} : { proxy: { '/api': proxyTo(new URL(real).origin) } }),
  },
});
await server.listen();
const token = real === undefined ? TOKEN : new URL(real).hash.replace('#t=', '');
console.log(`http://127.0.0.1:${PORT}/#t=${token}`);

/** The server's own app, in the same origin as the page. */
function mockApi(): Plugin {
  return {
    name: 'troupe-mock',
    configureServer: async ({ middlewares }) => {
      const operations = await createMockOperations();
      const routes = [addLiveRoutes, addGraphRoutes];
      const app = createServerApp(operations, {
        door: new OwnerDoor({ token: TOKEN, port: PORT }),
        assets: '/nowhere',
        routes,
      });
      const listener = getRequestListener(app.fetch);
      middlewares.use((request, response, next) => {
        if (request.url?.startsWith('/api/') === true && !isModule(request)) void listener(request, response);
        else next();
      });
    },
  };
}

/** The page has a folder called `api` too, whose files the browser loads while it is developed. */
const isModule = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-dest'] === 'script';

/** A server takes requests from its own page only, so the page says that it is that one. */
function proxyTo(target: string): ProxyOptions {
  return {
    target,
    changeOrigin: true,
    bypass: (request) => (isModule(request) ? request.url : undefined),
    configure: (proxy) => void proxy.on('proxyReq', (request) => request.setHeader('origin', target)),
  };
}
