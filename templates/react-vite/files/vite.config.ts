import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses: the built app works at the root of a host and below a path.
  base: './',
  plugins: [react()],
});
