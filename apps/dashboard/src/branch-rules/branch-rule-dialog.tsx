import type { BranchRule } from '@bottega/contract';
import { Modal, NumberInput, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { Form, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { branchRulesWords } from './branch-rules.words.ts';
import { branchRulesQuery, checkNamesQuery, saveRule } from './branch-rules-query.ts';

type Props = { projectId: string; edited: BranchRule | 'new' | null; close: () => void };

export function BranchRuleDialog({ projectId, edited, close }: Props) {
  const words = useWords(branchRulesWords);
  const title = edited && edited !== 'new' ? words.editTitle(edited.pattern) : words.add;
  return (
    <Modal opened={edited !== null} onClose={close} title={title} size="lg">
      {edited && <RuleForm projectId={projectId} rule={edited === 'new' ? null : edited} close={close} />}
    </Modal>
  );
}

function RuleForm({ projectId, rule, close }: { projectId: string; rule: BranchRule | null; close: () => void }) {
  const words = useWords(branchRulesWords);
  const client = useQueryClient();
  const { data: names = [] } = useQuery(checkNamesQuery(projectId));
  const form = useForm({
    initialValues: {
      pattern: rule?.pattern ?? '',
      approvals: rule?.approvals ?? 0,
      owners: rule?.owners ?? false,
      checks: rule?.checks ?? [],
      no_direct_push: rule?.no_direct_push ?? false,
      check_minutes: rule?.check_minutes ?? 60,
    },
  });
  const save = useMutation({
    mutationFn: (values: typeof form.values) => saveRule(projectId, rule?.id, values),
    onSuccess: close,
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
    onSettled: () => client.invalidateQueries(branchRulesQuery(projectId)),
  });
  const { pattern, approvals, check_minutes: minutes } = form.values;
  const isWhole = typeof approvals === 'number' && typeof minutes === 'number' && pattern.trim() !== '';
  return (
    <Form submit={() => save.mutate({ ...form.values, pattern: pattern.trim() })}>
      {!rule && (
        <TextInput
          label={words.pattern}
          description={words.patternHint}
          placeholder="main"
          required
          maxLength={255}
          data-autofocus
          {...form.getInputProps('pattern')}
        />
      )}
      <Switch
        label={words.no_direct_push}
        description={words.no_direct_pushHint}
        {...form.getInputProps('no_direct_push', { type: 'checkbox' })}
      />
      <NumberInput
        label={words.approvals}
        description={words.approvalsHint}
        min={0}
        max={10}
        allowDecimal={false}
        {...form.getInputProps('approvals')}
      />
      <Switch
        label={words.owners}
        description={words.ownersHint}
        {...form.getInputProps('owners', { type: 'checkbox' })}
      />
      <TagsInput
        label={words.checks}
        description={words.checksHint}
        data={names}
        maxTags={50}
        maxLength={100}
        {...form.getInputProps('checks')}
      />
      <NumberInput
        label={words.check_minutes}
        description={words.check_minutesHint}
        min={1}
        max={1440}
        allowDecimal={false}
        {...form.getInputProps('check_minutes')}
      />
      <Submit sending={save} at="flex-end" disabled={!isWhole}>
        {words.save}
      </Submit>
    </Form>
  );
}
