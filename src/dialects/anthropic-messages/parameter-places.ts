import { OUTPUT_LIMIT_PLACES, type ParameterPlaces } from '../parameter-places.ts';

const THINKING = ['thinking', 'output_config.effort'];

/** With thinking, sampling is refused, and a budget must be below the limit on output. */
export const PARAMETER_PLACES: ParameterPlaces = {
  of: {
    max_output_tokens: OUTPUT_LIMIT_PLACES,
    temperature: ['temperature'],
    top_p: ['top_p'],
    top_k: ['top_k'],
    frequency_penalty: ['frequency_penalty'],
    presence_penalty: ['presence_penalty'],
    seed: ['seed'],
    stop: ['stop_sequences'],
    reasoning_effort: THINKING,
    thinking_budget: THINKING,
    verbosity: ['verbosity'],
    service_tier: ['service_tier'],
  },
  besideThinking: ['max_output_tokens', 'temperature', 'top_p', 'top_k'],
};
