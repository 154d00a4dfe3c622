import { type ParameterPlaces, SHARED_PLACES } from '../parameter-places.ts';

const THINKING = ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking', 'thinking_budget'];

export const PARAMETER_PLACES: ParameterPlaces = {
  of: {
    ...SHARED_PLACES,
    stop: ['stop'],
    reasoning_effort: THINKING,
    thinking_budget: THINKING,
    verbosity: ['verbosity'],
  },
  besideThinking: [],
};
