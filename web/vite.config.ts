import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds the page into `dist/web`, where `troupe serve` finds it. For development, the API is that of the mock or of a real server. */
export default defineConfig({
  root: here('.'),
  plugins: [react(), tailwindcss()],
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    // `light-dark()` and nesting as they are written.
    target: ['chrome125', 'firefox128', 'safari18'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env['TROUPE_API'] ?? 'http://127.0.0.1:4399', changeOrigin: true } },
  },
});
