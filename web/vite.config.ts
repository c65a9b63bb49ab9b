import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { fewLanguages } from './build/few-languages.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Our own code without the parts and the families that are loaded when wanted, and the packages that the page cannot do without. */
const SHARED =
  /\/src\/(?!formats\/)|\/web\/(?!run\/(?:graph|changes|events)\/|formats\/|workflow\/)|\/node_modules\/(?:react|react-dom|scheduler|@base-ui|@floating-ui|@tanstack|lucide-react)\//;

/** Builds the page into `dist/web`, where `troupe serve` finds it. For development see `mock/dev.ts`. */
export default defineConfig({
  root: here('.'),
  plugins: [fewLanguages(), react(), tailwindcss()],
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    // `light-dark()` and nesting as they are written.
    target: ['chrome125', 'firefox128', 'safari18'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    // What several parts need is one file: thirty small ones take the server as long as all the rest.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', test: SHARED, minShareCount: 2 }] } } },
  },
  worker: { format: 'es', plugins: () => [fewLanguages({ isWorker: true })] },
});
