import { expect, test } from 'vitest';
import { templateDrawing } from './template-drawing.ts';

const kinds = [
  'web',
  'documentation',
  'api',
  'script',
  'starter',
  'library',
  'realtime',
  'something else',
  'constructor',
];

test.each(kinds)(
  'the picture of a template (%s) is always the same, differs from that of another id, and stays within its frame',
  (category) => {
    const one = templateDrawing({ id: 'tpl_01jd2m6vz8e3r9x5k7q4w1t0ab', category });
    expect(templateDrawing({ id: 'tpl_01jd2m6vz8e3r9x5k7q4w1t0ab', category })).toEqual(one);
    expect(templateDrawing({ id: 'tpl_01jd2m6vz8e3r9x5k7q4w1t0ac', category })).not.toEqual(one);
    for (const [, x = '', y = '', width = '', height = ''] of `${one.soft}${one.ink}`.matchAll(
      /M(\d+) (\d+)h(\d+)v(\d+)h-/g,
    )) {
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(120);
      expect(Number(y) + Number(height)).toBeLessThanOrEqual(48);
    }
  },
);
