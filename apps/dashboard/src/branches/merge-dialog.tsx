import type { CreateMerge } from '@bottega/contract';
import { Modal, Radio, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Form, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { mergeWords } from './merge.words.ts';

export type MergeForm = { strategy: NonNullable<CreateMerge['strategy']>; message: string };

type Props = {
  source: string;
  target: string;
  canForward: boolean;
  /** Whether the merge has conflicts, which the user resolves in the next step. */
  hasConflicts: boolean;
  sending: { error: unknown; isPending: boolean };
  merge: (form: MergeForm) => void;
  close: () => void;
};

export function MergeDialog({ source, target, canForward, hasConflicts, sending, merge, close }: Props) {
  const words = useWords(mergeWords);
  const [form, setForm] = useState<MergeForm>({ strategy: 'merge', message: '' });
  const strategies = [
    { value: 'merge', label: words.asMerge, description: words.asMergeHint },
    { value: 'squash', label: words.asSquash, description: words.asSquashHint },
    { value: 'fast-forward', label: words.asForward, description: words.asForwardHint, disabled: !canForward },
  ];
  return (
    <Modal opened onClose={close} title={words.mergeInto(source, target)} size="lg">
      <Form submit={() => merge(form)}>
        <Radio.Group
          label={words.strategy}
          value={form.strategy}
          onChange={(strategy) => setForm((now) => ({ ...now, strategy: strategy as MergeForm['strategy'] }))}
        >
          <Stack gap="xs" mt={4}>
            {strategies.map((strategy) => (
              <Radio key={strategy.value} {...strategy} />
            ))}
          </Stack>
        </Radio.Group>
        {form.strategy !== 'fast-forward' && (
          <Textarea
            label={words.message}
            autosize
            minRows={2}
            maxLength={10_000}
            value={form.message}
            placeholder={`${form.strategy === 'squash' ? 'Squash' : 'Merge'} branch '${source}' into ${target}`}
            onChange={({ currentTarget: { value } }) => setForm((now) => ({ ...now, message: value }))}
          />
        )}
        <Submit sending={sending} at="flex-end">
          {hasConflicts ? words.resolve : words.merge}
        </Submit>
      </Form>
    </Modal>
  );
}
