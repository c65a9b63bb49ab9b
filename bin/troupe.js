#!/usr/bin/env node
// Kept in words an old Node can read: it finds a Node that is new enough, or says which one is needed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) await start();
else startWithBundledNode();

async function start() {
  dieWithStarter();
  nodeModule.enableCompileCache();
  const built = new URL('../dist/main.js', import.meta.url);
  const file = existsSync(built) ? built : new URL('../src/cli/main.ts', import.meta.url);
  const { main } = await import(file.href);
  await main(process.argv.slice(2));
}

/** The npm package `node` brings a newer Node beside an old one. */
function startWithBundledNode() {
  const binary = bundledNode();
  if (binary === null || process.env.TROUPE_STARTER !== undefined) {
    process.stderr.write(
      `troupe: NODE_TOO_OLD: Node ${OLDEST_NODE} or newer is needed; this is ${process.versions.node}.\n` +
        'hint: Install a newer Node, or add one to the project with: npm install --save-dev node@26\n',
    );
    process.exit(2);
  }
  const child = spawn(binary, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TROUPE_STARTER: String(process.pid) },
  });
  // A terminal sends its interrupt to both; the child alone decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  }
  child.on('exit', (code) => process.exit(code === null ? 1 : code));
}

/** Where an old Node started this one, killing that process must stop this one too. */
function dieWithStarter() {
  const starter = Number(process.env.TROUPE_STARTER);
  delete process.env.TROUPE_STARTER;
  if (!(starter > 0)) return;
  setInterval(() => {
    if (process.ppid !== starter) process.kill(process.pid, 'SIGKILL');
  }, 100).unref();
}

function bundledNode() {
  try {
    const manifest = nodeModule.createRequire(import.meta.url).resolve('node/package.json');
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    const binary = fileURLToPath(new URL(bin.node, pathToFileURL(manifest)));
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
