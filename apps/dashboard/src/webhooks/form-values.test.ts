import { effectiveRetryPolicy, type Webhook } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { newPair } from '../kit/pairs.ts';
import { createOf, emptyForm, formOf, updateOf } from './form-values.ts';

const policy = effectiveRetryPolicy('guide', null);

describe('the form of a webhook', () => {
  test('sends the filled-in fields, and only those parts of the retry policy that differ from the default of the format', () => {
    const empty = emptyForm('', policy);
    const values = {
      ...empty,
      name: 'A',
      url: ' https://example.com ',
      events: ['*'],
      headers: [newPair('X-A', '1')],
    };
    expect(createOf({ ...values, headers: [...values.headers, newPair()] }, policy)).toEqual({
      name: 'A',
      url: 'https://example.com',
      description: '',
      events: ['*'],
      headers: { 'X-A': '1' },
      timeout: 30,
      ordered: false,
      filters: null,
      format: 'reference',
      project_id: null,
    });
    const other = {
      ...values,
      project: 'prj_1',
      secret: 's',
      policy: { ...values.policy, max_attempts: 2, statuses: '429' },
    };
    expect(createOf({ ...other, filterPaths: ['/a'] }, policy)).toMatchObject({
      project_id: 'prj_1',
      secret: 's',
      filters: { paths: ['/a'] },
      retry_policy: { max_attempts: 2, retry_on_status: [429] },
    });
  });

  test('sends the retry policy only if it was changed', () => {
    const webhook = {
      name: 'A',
      url: 'https://example.com',
      events: ['*'],
      headers: {},
      retry_policy: policy,
    } as never;
    const values = formOf(webhook as Webhook);
    expect(values.policy.statuses).toBe('');
    expect(updateOf(values, policy)).not.toHaveProperty('retry_policy');
    const changed = { ...values, policy: { ...values.policy, retry_on_timeout: false } };
    expect(updateOf(changed, policy).retry_policy).toEqual({ ...policy, retry_on_timeout: false });
  });
});
