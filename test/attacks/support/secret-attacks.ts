import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { CONFINED, eventually, EVERY, STRONGEST } from './attack.ts';
import type { Attack, Scene } from './attack.ts';

/** F: what a command must not get to know, and where it must not send it. */
export const attacks: readonly Attack[] = [
  {
    title: '[F62] a secret of the engine is in no environment and no process list',
    levels: EVERY,
    lacks: ({ containment }) => (containment === 'group' ? 'without namespaces all processes can be seen' : null),
    run: async ({ shell, canary }) => {
      process.env['ATTACK_CANARY'] = canary;
      try {
        const look =
          'env; export -p; cat /proc/*/environ /proc/*/cmdline /proc/*/task/*/environ 2>/dev/null | tr "\\0" "\\n"';
        const { output, exitCode } = await shell(look, { mergeErrors: true });
        assert.ok(exitCode !== null && output.includes('PATH='), output);
        assert.ok(!output.includes(canary), 'the canary was found');
      } finally {
        delete process.env['ATTACK_CANARY'];
      }
    },
  },
  {
    title: '[F62] what a command is given in its environment stands in no argument, where all users could read it',
    levels: EVERY,
    run: async ({ sandbox, options, canary }) => {
      const box = options({
        env: { PATH: '/usr/bin:/bin', API_KEY: canary, 'odd name': 'x', LD_PRELOAD: '/nowhere.so' },
      });
      const wrapped = await sandbox.wrap(['/usr/bin/env'], box);
      await wrapped.dispose();
      assert.ok(!wrapped.argv.some((word) => word.includes(canary)));
      assert.deepEqual(
        Object.keys(wrapped.env).filter((name) => /^(LD_|API|odd)/.test(name)),
        [],
      );
      const { output } = await sandbox.run(['/usr/bin/env'], box);
      assert.ok(output.includes(`API_KEY=${canary}`), output);
      assert.ok(output.includes('LD_PRELOAD=/nowhere.so'), output);
    },
  },
  {
    title: '[F64] keys, tokens, history and other workspaces in the home of the user cannot be read',
    levels: STRONGEST,
    run: async (scene) => {
      const home = join(scene.kept, 'home');
      const names = [
        '.ssh/id_ed25519',
        '.aws/credentials',
        '.env',
        '.bash_history',
        '.config/chromium/Cookies',
        'other/work/a',
      ];
      for (const name of names) {
        mkdirSync(dirname(join(home, name)), { recursive: true });
        writeFileSync(join(home, name), scene.canary);
      }
      const before = process.env['HOME'];
      process.env['HOME'] = home;
      try {
        const files = names.map((name) => `"${join(home, name)}"`).join(' ');
        const { output, errorOutput } = await scene.shell(`cat ${files} "${scene.kept}/secret"; ls -A "${home}"`, {
          hidden: [],
          folders: [{ path: scene.work, access: 'write' }],
        });
        assert.equal(output, '');
        assert.ok(errorOutput.includes('No such file'), errorOutput);
      } finally {
        process.env['HOME'] = before;
      }
    },
  },
  {
    title: '[F64] the homes of this machine and what services keep in /run are empty',
    levels: STRONGEST,
    run: async ({ shell }) => {
      const { output } = await shell(`ls -A /root /home /run "${homedir()}" 2>/dev/null | grep -v ":$" | grep .`, {
        folders: [],
        cwd: '/',
      });
      assert.equal(output, '');
    },
  },
  {
    title: '[F64] what only root may read cannot be read',
    levels: STRONGEST,
    run: async ({ shell }) => {
      const { output } = await shell(
        'cat /etc/shadow /etc/gshadow /etc/ssh/ssh_host_*_key /etc/ssl/private/* 2>/dev/null',
      );
      assert.equal(output, '');
    },
  },
  {
    title: '[F64] a folder that the command may write cannot be turned into a window by a link',
    levels: STRONGEST,
    run: async ({ shell, options, work, kept, canary }) => {
      await shell(`ln -s "${kept}" .git`);
      const folders = [...options().folders, { path: join(work, '.git'), access: 'read' as const }];
      const { startFailure, output } = await shell('cat .git/secret', { folders });
      assert.ok(startFailure?.includes('link'), `${startFailure}`);
      assert.ok(!output.includes(canary));
    },
  },
  {
    title: '[F64] a hidden folder inside a lent one is empty',
    levels: STRONGEST,
    run: async ({ shell, work, canary }) => {
      mkdirSync(join(work, 'state'));
      writeFileSync(join(work, 'state', 'token'), canary);
      const { output, exitCode } = await shell('ls -A state; cat state/token; echo x > state/new', {
        hidden: [join(work, 'state')],
      });
      assert.equal(output, '');
      assert.notEqual(exitCode, 0);
    },
  },
  {
    title: '[F63] a TCP connection to the machine itself is refused unless the network is allowed',
    levels: CONFINED,
    lacks: ({ gaps }) => (gaps.some((gap) => gap.includes('TCP')) ? 'this kernel cannot confine TCP' : null),
    run: async (scene) => {
      const server = createServer((socket) => socket.end('reached'));
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      try {
        const { port } = server.address() as AddressInfo;
        for (const host of ['127.0.0.1', '0.0.0.0', 'localhost', '::ffff:127.0.0.1', '2130706433']) {
          assert.equal(await connect(scene, { host, port, network: false }), 'refused', host);
        }
        assert.equal(await connect(scene, { host: '127.0.0.1', port, network: true }), 'reached');
      } finally {
        server.close();
      }
    },
  },
  {
    title: '[F63] a datagram does not leave',
    levels: STRONGEST,
    run: async (scene) => {
      const socket = createSocket('udp4');
      const got: string[] = [];
      socket.on('message', (message) => got.push(String(message)));
      await new Promise<void>((resolve) => {
        socket.bind(0, '127.0.0.1', resolve);
      });
      const { port } = socket.address();
      const send = `const s=require('node:dgram').createSocket('udp4');s.send('out',${port},'127.0.0.1',()=>s.close())`;
      await scene.sandbox.run([process.execPath, '-e', send], scene.options());
      await scene.sandbox.run(
        [process.execPath, '-e', send.replace('out', 'allowed')],
        scene.options({ network: true }),
      );
      await eventually(
        () => got.length,
        (count) => count > 0,
        5000,
      );
      socket.close();
      assert.deepEqual(got, ['allowed']);
    },
  },
  {
    title: '[F63] with the network allowed names can be looked up as outside',
    levels: STRONGEST,
    lacks: () => (existsSync('/etc/resolv.conf') ? null : 'there is no /etc/resolv.conf'),
    run: async ({ shell }) => {
      const { output, exitCode } = await shell('cat /etc/resolv.conf', { network: true });
      assert.deepEqual([exitCode, output !== ''], [0, true]);
    },
  },
];

async function connect(
  { sandbox, options }: Scene,
  to: { readonly host: string; readonly port: number; readonly network: boolean },
): Promise<string> {
  const script = `
    const socket = require('node:net').connect(${to.port}, ${JSON.stringify(to.host)});
    socket.on('data', (data) => process.stdout.write(data));
    socket.on('error', () => process.stdout.write('refused'));`;
  const { output } = await sandbox.run([process.execPath, '-e', script], options({ network: to.network }));
  return output;
}
