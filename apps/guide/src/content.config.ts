import { defineCollection } from 'astro:content';
import { docsSchema } from '@astrojs/starlight/schema';
import type { Loader } from 'astro/loaders';
import { readPages } from '../pages.ts';

/** Reasons and former versions have the same words as the pages that tell what is, and would be found before them. */
const documentation: Loader = {
  name: 'documentation',
  async load({ store, parseData, renderMarkdown, generateDigest }) {
    store.clear();
    for (const { id, title, body } of readPages()) {
      const data = await parseData({ id, data: { title, pagefind: !/^(decisions|project\/changelog)/.test(id) } });
      const { html, ...rest } = await renderMarkdown(body);
      // For the search, a word in a heading says more about a page than ten mentions.
      const rendered = { ...rest, html: html.replaceAll(/<h([23]) /g, '<h$1 data-pagefind-weight="10" ') };
      store.set({ id, data, body, rendered, digest: generateDigest(body) });
    }
  },
};

export const collections = { docs: defineCollection({ loader: documentation, schema: docsSchema() }) };
