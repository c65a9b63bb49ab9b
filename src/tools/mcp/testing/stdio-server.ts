// For tests: the little search server as a separate process. With one more argument it starts a process that would outlive it.
import { spawn } from 'node:child_process';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { searchFactory } from './search-factory.ts';

const [daemon] = process.argv.slice(2);
if (daemon !== undefined) {
  spawn('/bin/sh', ['-c', `trap "" TERM HUP; : ${daemon}; sleep 600`], { detached: true, stdio: 'ignore' }).unref();
}
process.stdout.write('a server that greets is not a reason to fail\n');
serveStdio(searchFactory);
