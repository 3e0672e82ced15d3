import { CreateApiKey, InviteCollaborator, PublishTemplate } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { fieldErrors } from './validation.ts';
import { createValidators } from './validator.ts';

const validatorOf = createValidators();

/** A hundred thousand items or more, in about a megabyte. */
const megabyteOf = (item: (index: number) => string): string =>
  Array.from({ length: Math.ceil(1_000_000 / (item(99_999).length + 1)) }, (_, index) => item(index)).join(',');

describe('a bad body', () => {
  test('is described field by field', () => {
    const validate = validatorOf(PublishTemplate);
    expect(validate({ name: '', tags: [1], other: true })).toBe(false);
    const fields = fieldErrors(validate.errors ?? []).map(({ field }) => field);
    expect(fields.toSorted()).toEqual(['name', 'other', 'project_id', 'tags.0'].toSorted());
  });

  test('with a megabyte of mistakes is described by the first one only', () => {
    const bodies = [
      [PublishTemplate, `{"project_id":"p","name":"n","tags":[${megabyteOf(() => '0')}]}`],
      [PublishTemplate, `{"project_id":"p","name":"n",${megabyteOf((index) => `"x${index}":0`)}}`],
      [CreateApiKey, `{"name":"n","scopes":[${megabyteOf((index) => `"${index}"`)}]}`],
      [InviteCollaborator, `{"email":"a@example.com","permissions":[${megabyteOf((index) => `"${index}"`)}]}`],
    ] as const;
    for (const [schema, text] of bodies) {
      const validate = validatorOf(schema);
      expect(validate(JSON.parse(text))).toBe(false);
      expect(validate.errors).toHaveLength(1);
    }
  });
});
