import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { HOST_ID } from '../../../src/sandbox/bubblewrap/drop-root.ts';
import { checkOverlay, mountView } from '../../../src/workspace/overlay/mount-view.ts';
import { CONFINED, eventually, processesWith, STRONGEST } from './attack.ts';
import type { Attack, Scene } from './attack.ts';

/** E62 to E64: the kernel's settings, root's own id, and everything that was not declared. */
export const attacks: readonly Attack[] = [
  {
    title: '[E62] no setting of the kernel can be opened for writing',
    levels: CONFINED,
    run: async ({ sandbox, options }) => {
      // Some vanish while they are listed, which is no failure.
      const knobs = spawnSync('find', KNOBS, { encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout.split('\n');
      const { output, errorOutput } = await sandbox.run(
        [process.execPath, '-e', OPEN_ALL],
        options({ stdin: JSON.stringify(knobs.filter((file) => file !== '')) }),
      );
      assert.equal(errorOutput, '');
      const { tried, opened } = JSON.parse(output) as { tried: number; opened: readonly string[] };
      assert.ok(tried > 500, `only ${tried} files were tried`);
      assert.deepEqual(opened, []);
    },
  },
  {
    title: "[E63] root's commands never run in an overlay workspace, where they would keep root's id",
    levels: STRONGEST,
    lacks: ({ identity }) => (identity === 'own' ? 'not root' : null),
    run: async ({ shell, work, kept }) => {
      await assert.rejects(checkOverlay(kept), { code: 'WORKSPACE_NO_OVERLAY' });
      for (const name of ['lower', 'upper']) mkdirSync(join(kept, name));
      const upper = { files: 'upper', work: 'work' };
      const view = await mountView({ cwd: kept, lower: ['lower'], upper, folder: join(kept, 'upper') });
      const { startFailure } = await shell('id', { cwd: view.folder, folders: [{ path: work, access: 'write' }] });
      view.close();
      assert.match(startFailure ?? '', /No command can run in an overlay workspace as root/);
    },
  },
  {
    title: "[E63] a command of root has another id on the host, and root's files stay root's",
    levels: STRONGEST,
    lacks: ({ identity }) => (identity === 'own' ? 'not root' : null),
    run: async ({ shell, work }) => {
      writeFileSync(join(work, 'old'), 'old', { mode: 0o600 });
      const mark = `63.${process.pid}${Date.now() % 1e6}`;
      const running = shell(`cat old; echo new > made; chmod 700 old; sleep ${mark} & wait; stat -c %u old made`, {
        timeoutMs: 2500,
      });
      await eventually(
        () => processesWith(`sleep\0${mark}`),
        (pids) => pids.length > 0,
        20_000,
      );
      const ids = processesWith(`sleep\0${mark}`).map((pid) => statusOf(pid, 'Uid'));
      assert.deepEqual([...new Set(ids)], [Array.from({ length: 4 }, () => String(HOST_ID)).join(' ')]);
      const { output } = await running;
      assert.equal(output, 'old');
      assert.deepEqual(
        ['old', 'made'].map((name) => statSync(join(work, name)).uid),
        [0, 0],
      );
      assert.equal(statSync(join(work, 'old')).mode & 0o777, 0o700);
    },
  },
  {
    title: '[E63] a command has no powers and cannot gain any',
    levels: CONFINED,
    run: async ({ shell, found }) => {
      const { output } = await shell('grep -E "^(Cap|NoNewPrivs)" /proc/self/status | tr -s "\\t0" ":"');
      // Only root can empty the bounding set without a user namespace.
      const bounds = found.level === 'landlock' && process.getuid?.() !== 0 ? /CapBnd:1f+\n/ : /CapBnd:\n/;
      assert.match(output, bounds);
      assert.equal(output.replace(bounds, ''), 'CapInh:\nCapPrm:\nCapEff:\nCapAmb:\nNoNewPrivs:1\n');
    },
  },
  {
    title: '[E63] a file of the user outside cannot be given another mode',
    levels: STRONGEST,
    run: async ({ shell, kept }) => {
      const file = join(kept, 'secret');
      chmodSync(file, 0o640);
      await shell(`chmod 777 ${file}; chmod 777 /usr/bin/env /etc/hosts`);
      assert.equal(statSync(file).mode & 0o777, 0o640);
    },
  },
  {
    title: '[E64] folders that were not declared cannot be read, wherever they are',
    levels: CONFINED,
    run: async (scene) => {
      for (const folder of ['/srv', '/opt', '/mnt', '/var/lib', '/var/tmp', '/home', '/', '/work'].filter(canMake)) {
        await readUndeclared(scene, folder);
      }
    },
  },
  {
    title: '[E64] of / and /etc only what is declared can be seen',
    levels: STRONGEST,
    run: async ({ shell, work }) => {
      const { output } = await shell('ls -A /; ls -A /etc; cat /etc/passwd', {
        folders: [{ path: work, access: 'write' }],
      });
      const declared = ['bin', 'dev', 'etc', 'proc', 'tmp', 'usr', 'passwd', work.split('/')[1] ?? ''];
      for (const name of declared) assert.ok(output.includes(name), name);
      const private_ = ['shadow', 'ssh', 'machine-id', 'npmrc', 'pip.conf', 'sudoers', 'boot', 'root\n', 'srv', 'opt'];
      for (const name of private_) assert.ok(!output.split('\n').includes(name.trim()), name);
      const users = readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .map((line) => line.split(':')[0] ?? '');
      const shown = new Set(['root', 'nobody', 'agent', '']);
      const own = process.getuid?.() ?? 0;
      const others = users.filter((name) => !shown.has(name) && own === 0);
      for (const name of others) assert.ok(!output.includes(`${name}:x:`), name);
    },
  },
  {
    title: '[E64] a folder that is lent to be read can be read, and nothing beside it',
    levels: CONFINED,
    run: async ({ shell, options, kept, canary }) => {
      mkdirSync(join(kept, 'shown'));
      writeFileSync(join(kept, 'shown/file'), 'shown');
      const folders = [...options().folders, { path: join(kept, 'shown'), access: 'read' as const }];
      const { output } = await shell(`cat ${kept}/shown/file ${kept}/secret; echo x > ${kept}/shown/new`, {
        folders,
        hidden: [],
      });
      assert.ok(output.startsWith('shown') && !output.includes(canary), output);
      assert.equal(existsSync(join(kept, 'shown/new')), false);
    },
  },
];

const KNOBS =
  '/proc /sys/kernel /sys/power /sys/module /sys/fs/cgroup -maxdepth 7 -path /proc/[0-9]* -prune -o -path /sys/kernel/debug -prune -o -path /sys/kernel/tracing -prune -o -type f -perm /222 -print'.split(
    ' ',
  );

/** Opened and closed at once, never written: the opening is the proof. */
const OPEN_ALL = `
  const fs = require('node:fs'), { O_WRONLY, O_NONBLOCK } = fs.constants;
  const opens = (file) => { try { fs.closeSync(fs.openSync(file, O_WRONLY | O_NONBLOCK)); return true; } catch { return false; } };
  const names = (folder) => { try { return fs.readdirSync(folder, { withFileTypes: true }); } catch { return []; } };
  const all = (folder) => names(folder).flatMap((entry) =>
    entry.isDirectory() ? all(folder + '/' + entry.name) : [folder + '/' + entry.name]);
  const given = JSON.parse(fs.readFileSync(0, 'utf8'));
  const files = [...new Set([...given, ...['/proc/sys', '/proc/irq', '/sys'].flatMap(all)])];
  console.log(JSON.stringify({ tried: files.length, opened: files.filter(opens) }));`;

function statusOf(pid: number, name: string): string {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  return (line ?? '').split(/\s+/).slice(1).join(' ');
}

function canMake(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function readUndeclared({ shell, work, canary }: Scene, folder: string): Promise<void> {
  const place = mkdtempSync(join(folder, 'attack-undeclared-'));
  try {
    const file = join(place, 'secret');
    writeFileSync(file, canary);
    const { output } = await shell(`cat ${file}; ls ${dirname(file)}; cd ${place} && ls`, {
      folders: [{ path: work, access: 'write' }],
      hidden: [],
    });
    assert.equal(output, '', folder);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
