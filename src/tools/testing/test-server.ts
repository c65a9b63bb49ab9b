import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** For tests: a real server on the loopback address, gone when the test is over. It keeps what it was asked. */
export async function testServer(answer: RequestListener): Promise<TestServer> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, port, url: `http://127.0.0.1:${port}`, asked };
}

export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  readonly asked: readonly IncomingMessage[];
}
