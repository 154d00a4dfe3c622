import { type ParameterPlaces, SHARED_PLACES } from '../parameter-places.ts';

const THINKING = ['reasoning.effort', 'reasoning.max_tokens'];

/** This dialect has no members for `top_k`, `seed` and `stop`. */
export const PARAMETER_PLACES: ParameterPlaces = {
  of: {
    ...SHARED_PLACES,
    stop: ['stop'],
    reasoning_effort: THINKING,
    thinking_budget: THINKING,
    verbosity: ['text.verbosity'],
  },
  besideThinking: [],
};
