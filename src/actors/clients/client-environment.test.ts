import { expect, test } from 'vitest';
import { clientEnvironment } from './client-box.ts';

const order = {
  home: '/runs/1/agents/x',
  place: { folder: '/runs/1/work', environment: { HOME: '/h', TMPDIR: '/t', PORT: '4001' }, folders: [] },
};

test('a client sees its own variables, the workspace’s, and nothing else of the user', () => {
  const env = clientEnvironment(
    {
      PATH: '/usr/bin:relative',
      LANG: 'de_DE.UTF-8',
      VENDOR_KEY: 'k',
      VENDOR_SESSION: 'of somebody else',
      OTHER_KEY: 'o',
      HOME: '/home/me',
      SSH_AUTH_SOCK: '/s',
      LD_PRELOAD: '/x.so',
    },
    order,
    { prefixes: ['VENDOR_'], except: [/^VENDOR_SESSION/] },
  );
  expect(env).toMatchObject({
    PATH: '/usr/bin',
    LANG: 'de_DE.UTF-8',
    VENDOR_KEY: 'k',
    PORT: '4001',
    HOME: '/runs/1/agents/x',
    TMPDIR: '/runs/1/agents/x/tmp',
    GIT_CEILING_DIRECTORIES: '/runs/1',
  });
  for (const name of ['VENDOR_SESSION', 'OTHER_KEY', 'SSH_AUTH_SOCK', 'LD_PRELOAD'])
    expect(env).not.toHaveProperty(name);
});
