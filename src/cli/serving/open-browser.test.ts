import { expect, test } from 'vitest';
import { browserStarter } from './page-server.ts';

test('[U2] a browser is opened where there is a screen, and nowhere else', () => {
  expect(browserStarter({ DISPLAY: ':0' }, 'linux')).toBe('xdg-open');
  expect(browserStarter({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe('xdg-open');
  expect(browserStarter({}, 'darwin')).toBe('open');
  expect(browserStarter({}, 'linux')).toBeNull();
  expect(browserStarter({ DISPLAY: ':0', CI: 'true' }, 'linux')).toBeNull();
  expect(browserStarter({ DISPLAY: ':10', SSH_CONNECTION: '10.0.0.1' }, 'linux')).toBeNull();
});
