import { expect, test } from 'vitest';
import { licencesOf, noticeOf } from './licences.ts';

const root = new URL('../../../', import.meta.url).pathname;

test('every package with a file in the bundle is listed once, with the text of its licence', () => {
  const files = ['fastify/fastify.js', 'fastify/lib/reply.js', '@fastify/error/index.js'];
  const licences = licencesOf([
    ...files.map((file) => `${root}node_modules/${file}`),
    `${root}apps/server/src/main.ts`,
    '\0rolldown/runtime.js',
  ]);
  expect(licences.map(({ name }) => name)).toEqual(['fastify', '@fastify/error']);
  const notice = noticeOf([...licences, ...licences]);
  expect(notice.match(/^fastify \d+\.\d+\.\d+ \(MIT\)$/gm)).toHaveLength(1);
  expect(notice).toContain('Permission is hereby granted, free of charge');
});
