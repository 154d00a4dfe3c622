import { type ParameterPlaces, SHARED_PLACES } from '../parameter-places.ts';

const THINKING = ['thinking', 'output_config.effort'];

/** With thinking, sampling parameters are refused, and a budget must be below the output limit. */
export const PARAMETER_PLACES: ParameterPlaces = {
  of: {
    ...SHARED_PLACES,
    stop: ['stop_sequences'],
    reasoning_effort: THINKING,
    thinking_budget: THINKING,
    verbosity: ['verbosity'],
  },
  besideThinking: ['max_output_tokens', 'temperature', 'top_p', 'top_k'],
};
