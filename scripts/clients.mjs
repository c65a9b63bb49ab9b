// Installs the real clients that the tests in test/clients need, each into a folder of its own in the user's cache, where they
// outlive the checkout. Says nothing when all are there, and is no failure when one cannot be had: its tests are then skipped.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLIENTS, clientFolder, isInstalled } from '../test/clients/client-cache.ts';

const INSTALL_MS = 15 * 60_000;

for (const name of Object.keys(CLIENTS)) {
  if (!isInstalled(name)) install(name);
}

function install(name) {
  const { package: wanted, version } = CLIENTS[name];
  if (process.env.TROUPE_CLIENTS) {
    console.log(`Not in ${process.env.TROUPE_CLIENTS}: ${wanted} ${version}. Its tests are skipped.`);
    return;
  }
  const folder = clientFolder(name);
  console.log(`Installing ${wanted} ${version} for its tests, in ${folder}`);
  const problem = installInto(folder, `${wanted}@${version}`);
  if (problem === null && isInstalled(name)) return;
  console.log(`Not installed: ${wanted} ${version} (${problem ?? 'its program is missing'}). Its tests are skipped.`);
}

/** Made beside its place and moved there when it is whole: another run may be at the same. Null when all went well. */
function installInto(folder, wanted) {
  let draft = null;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    draft = mkdtempSync(`${folder}.`);
    writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
    const words = ['install', '--prefix', draft, '--no-audit', '--no-fund', '--loglevel=error', '--save-exact', wanted];
    const result = spawnSync('npm', words, { cwd: draft, encoding: 'utf8', timeout: INSTALL_MS });
    if (result.status !== 0)
      return (result.error?.message ?? result.stderr ?? '').trim().split('\n')[0] || 'npm failed';
    // One that is not whole, such as after a failed download, makes room.
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    draft = null;
    return null;
  } catch (error) {
    return error.message;
  } finally {
    if (draft !== null) rmSync(draft, { recursive: true, force: true });
  }
}
