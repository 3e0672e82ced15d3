import { defineCollection } from 'astro:content';
import { docsSchema } from '@astrojs/starlight/schema';
import type { Loader } from 'astro/loaders';
import { readPages } from '../pages.ts';

const documentation: Loader = {
  name: 'documentation',
  async load({ store, parseData, renderMarkdown, generateDigest }) {
    store.clear();
    for (const { id, title, body } of readPages()) {
      const data = await parseData({ id, data: { title } });
      store.set({ id, data, body, rendered: await renderMarkdown(body), digest: generateDigest(body) });
    }
  },
};

export const collections = { docs: defineCollection({ loader: documentation, schema: docsSchema() }) };
