//! Networks in ONNX files, run by tract.

use std::panic::catch_unwind;
use std::sync::Arc;

use tract_onnx::prelude::*;

use super::function::{Function, Functions, Memory};
use parlour_base::error::ensure;

/// The function of one output.
#[derive(Debug)]
struct OnnxOutput {
    plan: Arc<TypedRunnableModel>,
    sizes: [usize; 2],
}

/// Reads a file: the first output is the policy, the second one the value.
///
/// # Errors
/// A sentence that follows the file's name.
pub(super) fn read(bytes: &[u8]) -> Result<Functions, String> {
    let read = || {
        let model = tract_onnx::onnx().model_for_read(&mut &*bytes);
        let model = model.map_err(|error| format!("it cannot be read: {error:#}"))?;
        let [inputs, outputs] = [&model.inputs, &model.outputs].map(|ports| ports.len());
        ensure(inputs == 1 && (1..=2).contains(&outputs), || {
            format!("its inputs are {inputs}, its outputs {outputs}; they must be 1, and 1 or 2")
        })?;
        let output = |output| OnnxOutput::new(&model, output).map(|it| Arc::new(it) as _);
        let value = if outputs == 2 { Some(output(1)? as _) } else { None };
        Ok(Functions { policy: output(0)?, value, critic: None, reads_rules: false })
    };
    catch_unwind(read).unwrap_or_else(|_| Err("it is damaged".to_owned()))
}

impl OnnxOutput {
    fn new(model: &InferenceModel, output: usize) -> Result<OnnxOutput, String> {
        let cannot_run = |error: TractError| format!("it cannot be run: {error:#}");
        let spec = model.input_fact(0).map_err(cannot_run)?.format_dt_shape();
        let inputs = match spec.split(',').collect::<Vec<_>>()[..] {
            [_, inputs, "F32"] => inputs.parse().unwrap_or(0),
            _ => 0,
        };
        ensure((1..1_000_000).contains(&inputs), || {
            format!("its input is {spec}; it must be float32 of shape [1, n]")
        })?;
        let plan = || {
            let model = model.clone().with_output_outlets(&[model.outputs[output]])?;
            model
                .with_input_fact(0, f32::fact([1, inputs]).into())?
                .into_optimized()?
                .into_runnable()
        };
        let plan = plan().map_err(cannot_run)?;
        let mut function = OnnxOutput { plan, sizes: [inputs, 0] };
        function.sizes[1] = function.outputs(&vec![0; inputs]).map_err(cannot_run)?.len();
        Ok(function)
    }

    fn outputs(&self, observation: &[u8]) -> TractResult<Vec<f32>> {
        let floats: Vec<f32> = observation.iter().map(|byte| f32::from(*byte)).collect();
        let input = Tensor::from_shape(&[1, floats.len()], &floats)?;
        let outputs = self.plan.run(tvec![input.into()])?;
        Ok(outputs[0].to_plain_array_view::<f32>()?.iter().copied().collect())
    }
}

impl Function for OnnxOutput {
    fn sizes(&self) -> [usize; 2] {
        self.sizes
    }

    /// The file could be run when it was read.
    fn run(&self, observation: &[u8], wanted: &[u16], memory: &mut Memory) {
        let all = self.outputs(observation).unwrap_or_default();
        let output = |wanted: &u16| all.get(usize::from(*wanted)).copied().unwrap_or(0.0);
        memory.outputs = wanted.iter().map(output).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    /// Reads a file that `write.py` wrote.
    fn file(name: &str) -> Result<Functions, String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/network/files");
        read(&std::fs::read(format!("{folder}/{name}.onnx")).unwrap())
    }

    fn outputs(function: &dyn Function, observation: &[u8]) -> Vec<f32> {
        let mut memory = Memory::default();
        let all: Vec<u16> = (0..function.sizes()[1] as u16).collect();
        function.run(observation, &all, &mut memory);
        memory.outputs
    }

    #[test]
    fn files_are_run() {
        let Functions { policy, value, .. } = file("float").unwrap();
        let value = value.unwrap();
        assert_eq!([policy.sizes(), value.sizes()], [[4, 3], [4, 1]]);
        assert_eq!(outputs(&*policy, &[4, 3, 2, 1]), [4.0, 6.0, 1.0]);
        assert_eq!(outputs(&*value, &[4, 3, 2, 1]), [1.0]);
    }

    #[test]
    fn other_files_are_refused() {
        for (name, words) in [
            ("bytes", "1,4,U8; it must be float32"),
            ("image", "1,2,2,F32; it must be float32 of shape [1, n]"),
            ("double", "F64"),
            ("operator", "Det"),
            ("three", "its inputs are 1, its outputs 3"),
        ] {
            let fault = file(name).unwrap_err();
            assert!(fault.contains(words), "{name}: {fault}");
        }
        assert!(read(b"no network").unwrap_err().contains("it cannot be read"));
    }

    #[test]
    fn damaged_files_are_run_or_refused() {
        let good = include_bytes!("files/float.onnx");
        let mut chance = Seed::new(1).stream();
        for _ in 0..300 {
            let mut bytes = good.to_vec();
            let at = chance.below(bytes.len() as u32) as usize;
            bytes[at] = chance.below(256) as u8;
            if let Ok(Functions { policy, .. }) = read(&bytes) {
                outputs(&*policy, &vec![1; policy.sizes()[0]]);
            }
        }
    }
}
