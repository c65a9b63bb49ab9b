#!/usr/bin/env node
// Kept in words an old Node can read: it finds a Node that is new enough, or says which one is needed.
// Nothing is imported before it is needed; even Node's own modules cost a cold start milliseconds.
const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) await start();
else await startWithBundledNode();

async function start() {
  dieWithStarter();
  process.getBuiltinModule('node:module').enableCompileCache();
  const built = new URL('../dist/main.js', import.meta.url);
  const isBuilt = process.getBuiltinModule('node:fs').existsSync(built);
  const { main } = await import(isBuilt ? built.href : '../src/cli/main.ts');
  await main(process.argv.slice(2));
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

/** The npm package `node` brings a newer Node beside an old one. */
async function startWithBundledNode() {
  const binary = await bundledNode();
  if (binary === null || process.env.TROUPE_STARTER !== undefined) {
    process.stderr.write(
      `troupe: NODE_TOO_OLD: Node ${OLDEST_NODE} or newer is needed; this is ${process.versions.node}.\n` +
        'hint: Install a newer Node, or add one to the project with: npm install --save-dev node@26\n',
    );
    process.exit(2);
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(binary, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, TROUPE_STARTER: String(process.pid) },
  });
  // A terminal sends its interrupt to both; the child alone decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  }
  child.on('exit', (code) => process.exit(code === null ? 1 : code));
}

async function bundledNode() {
  try {
    const { existsSync, readFileSync } = await import('node:fs');
    const { createRequire } = await import('node:module');
    const { dirname, join } = await import('node:path');
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    const binary = join(dirname(manifest), bin.node);
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
