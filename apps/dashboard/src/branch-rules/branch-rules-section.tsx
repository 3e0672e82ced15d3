import type { BranchRule } from '@bottega/contract';
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Empty, Section } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { BranchRuleDialog } from './branch-rule-dialog.tsx';
import { branchRulesWords } from './branch-rules.words.ts';
import { branchRulesQuery, deleteRule } from './branch-rules-query.ts';

type Props = { projectId: string; canManage: boolean };

/**
 * The rules for branches, with a dialog. In it, `edited` is the rule that is changed, or `new`. It is null while no
 * dialog is open.
 */
export function BranchRulesSection({ projectId, canManage }: Props) {
  const words = useWords(branchRulesWords);
  const { data, error, refetch } = useQuery(branchRulesQuery(projectId));
  const [edited, setEdited] = useState<BranchRule | 'new' | null>(null);
  const add = canManage && (
    <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={() => setEdited('new')}>
      {words.add}
    </Button>
  );
  return (
    <Section title={words.title} hint={words.hint}>
      <Refusal error={error} retry={refetch} />
      {data?.length === 0 && (
        <Empty title={words.none} hint={words.noneHint}>
          {add}
        </Empty>
      )}
      {data && data.length > 0 && (
        <Stack gap="sm" align="flex-start">
          <RuleTable rules={data} canManage={canManage} edit={setEdited} />
          {add}
        </Stack>
      )}
      <BranchRuleDialog projectId={projectId} edited={edited} close={() => setEdited(null)} />
    </Section>
  );
}

type TableProps = { rules: BranchRule[]; canManage: boolean; edit: (rule: BranchRule) => void };

function RuleTable({ rules, canManage, edit }: TableProps) {
  const words = useWords(branchRulesWords);
  const remove = useRemoving();
  const columns: Column<BranchRule>[] = [
    {
      name: words.pattern,
      cell: ({ pattern }) => <Code style={{ overflowWrap: 'anywhere' }}>{pattern}</Code>,
      maw: 220,
    },
    { name: words.requirements, cell: (rule) => <Requirements rule={rule} /> },
    {
      name: '',
      cell: (rule) =>
        canManage && (
          <Group gap={4} justify="flex-end">
            <RowButton label={words.edit} of={rule.pattern} onClick={() => edit(rule)} />
            <RowButton label={words.delete} of={rule.pattern} onClick={() => void remove(rule)} />
          </Group>
        ),
    },
  ];
  return <DataTable rows={rules} columns={columns} keyOf={({ id }) => id} label={words.title} />;
}

function Requirements({ rule }: { rule: BranchRule }) {
  const words = useWords(branchRulesWords);
  const all = [
    rule.no_direct_push && words.no_direct_push,
    rule.approvals > 0 && words.approvalsOf(rule.approvals),
    rule.owners && words.owners,
    rule.checks.length > 0 && words.checksOf(rule.checks.join(', ')),
  ].filter((one) => one !== false);
  return (
    <Text size="sm" className="breaks-anywhere">
      {all.join(' · ') || words.nothing}
    </Text>
  );
}

function useRemoving() {
  const words = useWords(branchRulesWords);
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: deleteRule,
    onSuccess: (_answer, { pattern }) => toast(words.deleted(pattern)),
    onError: toastRefusal,
    onSettled: (_answer, _error, { project_id }) => client.invalidateQueries(branchRulesQuery(project_id)),
  });
  return async (rule: BranchRule) => {
    const title = words.deleteTitle(rule.pattern);
    const isSure = await confirm({ title, hint: words.deleteHint, yes: words.delete, isDangerous: true });
    if (isSure) removing.mutate(rule);
  };
}
