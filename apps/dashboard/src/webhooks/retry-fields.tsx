import type { WebhookFormat } from '@bottega/contract';
import { NativeSelect, NumberInput, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FieldGroup } from '../kit/form.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { formWords } from './form.words.ts';
import { type FormValues, policyOf } from './form-values.ts';
import { delaysOf, statusesIn } from './retry-delays.ts';

const day = 86_400_000;
const strategies = ['exponential', 'linear', 'fixed'] as const;
/** The delays of the guide format, which apply as long as its policy is unchanged. */
const guideDelays = [0, 1000, 2000, 4000, 8000];

type Props = { form: UseFormReturnType<FormValues>; isOwn: boolean; format: WebhookFormat };

export function RetryFields({ form, isOwn, format }: Props) {
  const words = useWords(formWords);
  const { policy } = form.values;
  return (
    <FieldGroup legend={words.retries}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <NumberInput
          label={words.attempts}
          min={1}
          max={25}
          clampBehavior="strict"
          allowDecimal={false}
          {...form.getInputProps('policy.max_attempts')}
        />
        <NativeSelect
          label={words.strategy}
          data={strategies.map((value) => ({ value, label: words[value] }))}
          {...form.getInputProps('policy.backoff_strategy')}
        />
        <NumberInput
          label={words.initialDelay}
          min={0}
          max={day}
          step={500}
          clampBehavior="strict"
          allowDecimal={false}
          {...form.getInputProps('policy.initial_delay')}
        />
        <NumberInput
          label={words.maxDelay}
          min={0}
          max={day}
          step={1000}
          clampBehavior="strict"
          allowDecimal={false}
          {...form.getInputProps('policy.max_delay')}
        />
      </SimpleGrid>
      <Schedule delays={isOwn && format === 'guide' ? guideDelays : delaysOf(policyOf(policy))} />
      <TextInput
        label={words.statuses}
        description={words.statusesHint}
        maw={420}
        {...form.getInputProps('policy.statuses')}
        error={statusesIn(policy.statuses) === undefined && words.statusesWrong}
      />
      <Switch label={words.onTimeout} {...form.getInputProps('policy.retry_on_timeout', { type: 'checkbox' })} />
    </FieldGroup>
  );
}

function Schedule({ delays }: { delays: number[] }) {
  const words = useWords(formWords);
  const language = useLanguage();
  const unit = new Intl.NumberFormat(language, { style: 'unit', unit: 'second', maximumFractionDigits: 2 });
  const shown = delays.slice(0, 8).map((delay) => unit.format(delay / 1000));
  return (
    <Text size="sm" c="dimmed" role="status">
      {delays.length === 0 ? words.noSchedule : words.schedule(`${shown.join(', ')}${delays.length > 8 ? ' …' : ''}`)}
    </Text>
  );
}
